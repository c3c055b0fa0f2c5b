import { Alert, Button, DatePicker, Form, Input, InputNumber, Select, Switch, Tabs } from 'antd'
import { Save } from 'lucide-react'

const shop = (
  <Form layout="vertical" className="max-w-xl" initialValues={{ name: 'Harbour Coffee', currency: 'EUR', delivery: 4.9, open: true }}>
    <Form.Item label="Shop name" name="name" required><Input /></Form.Item>
    <Form.Item label="Currency" name="currency">
      <Select options={[{ value: 'EUR', label: 'Euro' }, { value: 'GBP', label: 'Pound' }]} />
    </Form.Item>
    <Form.Item label="Delivery fee" name="delivery"><InputNumber min={0} step={0.1} className="w-full" /></Form.Item>
    <Form.Item label="Closed from" name="closed"><DatePicker className="w-full" /></Form.Item>
    <Form.Item label="Shop is open" name="open" valuePropName="checked"><Switch /></Form.Item>
    <Button type="primary" icon={<Save size={16} />}>Save changes</Button>
  </Form>
)

export default function Settings() {
  return (
    <div className="space-y-5">
      <h1 className="text-2xl font-semibold">Settings</h1>
      <Alert type="info" showIcon message="Changes reach the till within a minute." />
      <div className="panel">
        <Tabs
          items={[
            { key: 'shop', label: 'Shop', children: shop },
            { key: 'team', label: 'Team', children: <p>Four people work here.</p> },
            { key: 'billing', label: 'Billing', children: <p>Paid until December.</p> },
          ]}
        />
      </div>
    </div>
  )
}
