export const sales = [
  { month: 'Jan', shop: 12400, online: 5200 },
  { month: 'Feb', shop: 11800, online: 5900 },
  { month: 'Mar', shop: 13900, online: 6700 },
  { month: 'Apr', shop: 14200, online: 7400 },
  { month: 'May', shop: 15800, online: 8100 },
  { month: 'Jun', shop: 16900, online: 9300 },
  { month: 'Jul', shop: 17200, online: 10100 },
  { month: 'Aug', shop: 16100, online: 9800 },
]

export const shares = [
  { name: 'Espresso', value: 42, fill: '#2f6fed' },
  { name: 'Filter', value: 27, fill: '#60a5fa' },
  { name: 'Beans', value: 21, fill: '#93c5fd' },
  { name: 'Pastries', value: 10, fill: '#bfdbfe' },
]
