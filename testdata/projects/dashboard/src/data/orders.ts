export type Order = { key: number; number: string; customer: string; item: string; total: number; status: 'paid' | 'open' | 'refunded'; date: string }

const people = ['Ada Brandt', 'Jonas Weber', 'Mira Stone', 'Leo Fischer', 'Nora Quinn', 'Sam Ortega']
const items = ['House blend 1 kg', 'Ethiopia 250 g', 'Filter papers', 'Gift box', 'Espresso cups']
const states: Order['status'][] = ['paid', 'paid', 'open', 'paid', 'refunded']

export const orders: Order[] = Array.from({ length: 24 }, (_, i) => ({
  key: i,
  number: `HC-${2041 + i}`,
  customer: people[(i * 5) % people.length],
  item: items[(i * 3) % items.length],
  total: 14.5 + ((i * 37) % 90),
  status: states[i % states.length],
  date: `2025-03-${String(1 + (i % 28)).padStart(2, '0')}`,
}))
