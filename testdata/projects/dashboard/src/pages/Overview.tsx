import { Area, AreaChart, CartesianGrid, Cell, Legend, Pie, PieChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import Stat from '../components/Stat'
import { sales, shares } from '../data/sales'

export default function Overview() {
  return (
    <div className="space-y-6">
      <h1 className="text-2xl font-semibold">Good morning, Mara</h1>
      <div className="grid grid-cols-4 gap-5">
        <Stat label="Revenue" value="€ 25,900" change={8.2} />
        <Stat label="Orders" value="1,284" change={4.1} />
        <Stat label="New customers" value="96" change={-2.4} />
        <Stat label="Average basket" value="€ 20.17" change={1.3} />
      </div>
      <div className="grid grid-cols-3 gap-5">
        <section className="panel col-span-2">
          <h2 className="mb-4 font-medium">Sales by month</h2>
          <ResponsiveContainer width="100%" height={280}>
            <AreaChart data={sales}>
              <CartesianGrid strokeDasharray="3 3" stroke="#e2e8f0" />
              <XAxis dataKey="month" />
              <YAxis />
              <Tooltip />
              <Legend />
              <Area type="monotone" dataKey="shop" stackId="1" stroke="#2f6fed" fill="#bfd4fb" />
              <Area type="monotone" dataKey="online" stackId="1" stroke="#0ea5e9" fill="#bae6fd" />
            </AreaChart>
          </ResponsiveContainer>
        </section>
        <section className="panel">
          <h2 className="mb-4 font-medium">What sells</h2>
          <ResponsiveContainer width="100%" height={280}>
            <PieChart>
              <Pie data={shares} dataKey="value" nameKey="name" innerRadius={55} outerRadius={90}>
                {shares.map((s) => (
                  <Cell key={s.name} fill={s.fill} />
                ))}
              </Pie>
              <Legend />
            </PieChart>
          </ResponsiveContainer>
        </section>
      </div>
    </div>
  )
}
