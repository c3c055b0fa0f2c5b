import { useState } from 'react'
import { Button, Segmented, Space, Table, Tag } from 'antd'
import { Download, Plus } from 'lucide-react'
import { orders, type Order } from '../data/orders'

const colors = { paid: 'green', open: 'gold', refunded: 'red' } as const

export default function Orders() {
  const [filter, setFilter] = useState('all')
  const shown = orders.filter((o) => filter === 'all' || o.status === filter)
  return (
    <div className="space-y-5">
      <div className="flex items-center justify-between">
        <h1 className="text-2xl font-semibold">Orders</h1>
        <Space>
          <Button icon={<Download size={16} />}>Export</Button>
          <Button type="primary" icon={<Plus size={16} />}>New order</Button>
        </Space>
      </div>
      <Segmented options={['all', 'paid', 'open', 'refunded']} value={filter} onChange={(v) => setFilter(String(v))} />
      <Table<Order>
        className="panel"
        dataSource={shown}
        pagination={{ pageSize: 8 }}
        columns={[
          { title: 'Order', dataIndex: 'number' },
          { title: 'Customer', dataIndex: 'customer', sorter: (a, b) => a.customer.localeCompare(b.customer) },
          { title: 'Item', dataIndex: 'item' },
          { title: 'Date', dataIndex: 'date' },
          { title: 'Total', dataIndex: 'total', align: 'right', render: (v: number) => `€ ${v.toFixed(2)}` },
          { title: 'Status', dataIndex: 'status', render: (s: Order['status']) => <Tag color={colors[s]}>{s}</Tag> },
        ]}
      />
    </div>
  )
}
