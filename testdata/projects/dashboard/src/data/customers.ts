export const customers = [
  { name: 'Ada Brandt', city: 'Hamburg', orders: 31, loyalty: 92, tags: ['wholesale', 'newsletter'] },
  { name: 'Jonas Weber', city: 'Bremen', orders: 18, loyalty: 74, tags: ['newsletter'] },
  { name: 'Mira Stone', city: 'Leeds', orders: 12, loyalty: 61, tags: ['online'] },
  { name: 'Leo Fischer', city: 'Vienna', orders: 9, loyalty: 48, tags: ['online', 'gift cards'] },
  { name: 'Nora Quinn', city: 'Dublin', orders: 7, loyalty: 35, tags: ['shop'] },
  { name: 'Sam Ortega', city: 'Valencia', orders: 4, loyalty: 20, tags: ['shop', 'newsletter'] },
]
