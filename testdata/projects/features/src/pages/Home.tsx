import hills from '@/assets/hills.svg'
import dot from '../assets/dot.svg'
import address from '../assets/hills.svg?url'
import advice from '~data/advice.txt?raw'
import leaf from '/img/leaf.svg'
import * as Icons from 'lucide-react'

const icon = ['Mountain', 'TreePine', 'Footprints'] as const

export default function Home() {
  return (
    <main className="banner min-h-[500px] animate-rise space-y-4 p-8">
      <h1 className="text-3xl font-bold text-moss-900">Trails of the {__EDITION__}</h1>
      <p className="lead text-note-700">
        Season {import.meta.env.VITE_SEASON}, {import.meta.env.MODE}, {String(import.meta.env.PROD)}, {String(import.meta.env.SECRET ?? 'no secret')}
      </p>
      <pre className="sheet">{advice}</pre>
      <p>{import.meta.env.VITE_CONTACT}</p>
      <img src={hills} alt="Hills" width={320} />
      <img src={dot} alt="A dot" width={20} />
      <img src={leaf} alt="A leaf" width={40} />
      <img src={address} alt="The same hills" width={120} />
      <div className="flex gap-3">
        {icon.map((name) => {
          const Icon = Icons[name]
          return <Icon key={name} className="h-8 w-8 bg-moss-100 text-moss-600" />
        })}
      </div>
      <div className="mark h-10 w-10" />
    </main>
  )
}
