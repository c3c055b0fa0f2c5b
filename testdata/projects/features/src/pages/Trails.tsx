import './lazy.css'
import styles from '@/styles/Card.module.css'
import { region, trails } from '../data/trails.json'
import list from '../data/trails.json'

export default function Trails() {
  return (
    <main className="space-y-4 p-8">
      <h2 className="text-xl">{region}: {list.trails.length} trails</h2>
      <div className="rows">
        {trails.map((t) => (
          <article key={t.name} className={styles.card}>
            <p className={styles['card-title']}>{t.name}</p>
            <p>{t.km} km, {t.climb} m up</p>
          </article>
        ))}
      </div>
    </main>
  )
}
