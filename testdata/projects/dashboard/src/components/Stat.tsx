import { TrendingDown, TrendingUp } from 'lucide-react'

type Props = { label: string; value: string; change: number }

export default function Stat({ label, value, change }: Props) {
  const up = change >= 0
  const Icon = up ? TrendingUp : TrendingDown
  return (
    <div className="panel">
      <p className="text-sm text-slate-500">{label}</p>
      <p className="mt-1 text-2xl font-semibold">{value}</p>
      <p className={`mt-2 flex items-center gap-1 text-xs ${up ? 'text-emerald-600' : 'text-rose-600'}`}>
        <Icon size={14} /> {Math.abs(change)} % since last month
      </p>
    </div>
  )
}
