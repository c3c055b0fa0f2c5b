import { Avatar, Card, Progress, Tag } from 'antd'
import { Bar, BarChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { MapPin } from 'lucide-react'
import { customers } from '../data/customers'

const initials = (name: string) => name.split(' ').map((w) => w[0]).join('')

export default function Customers() {
  return (
    <div className="space-y-6">
      <h1 className="text-2xl font-semibold">Customers</h1>
      <section className="panel">
        <h2 className="mb-4 font-medium">Orders per customer</h2>
        <ResponsiveContainer width="100%" height={220}>
          <BarChart data={customers}>
            <XAxis dataKey="name" />
            <YAxis />
            <Tooltip />
            <Bar dataKey="orders" fill="#2f6fed" radius={[6, 6, 0, 0]} />
          </BarChart>
        </ResponsiveContainer>
      </section>
      <div className="grid grid-cols-3 gap-5">
        {customers.map((c) => (
          <Card key={c.name}>
            <div className="flex items-center gap-4">
              <Avatar size={48} className="bg-brand-500">{initials(c.name)}</Avatar>
              <div>
                <p className="font-medium">{c.name}</p>
                <p className="flex items-center gap-1 text-sm text-slate-500"><MapPin size={14} /> {c.city}</p>
              </div>
            </div>
            <Progress className="mt-4" percent={c.loyalty} size="small" />
            <div className="mt-3">{c.tags.map((t) => <Tag key={t}>{t}</Tag>)}</div>
          </Card>
        ))}
      </div>
    </div>
  )
}
