import { NavLink, Outlet } from 'react-router-dom'
import { Avatar, Badge, Input } from 'antd'
import { Bell, Coffee, LayoutDashboard, Search, Settings, ShoppingBag, Users } from 'lucide-react'

const links = [
  { to: '/', label: 'Overview', icon: LayoutDashboard },
  { to: '/orders', label: 'Orders', icon: ShoppingBag },
  { to: '/customers', label: 'Customers', icon: Users },
  { to: '/settings', label: 'Settings', icon: Settings },
]

export default function Shell() {
  return (
    <div className="flex min-h-screen">
      <aside className="w-60 shrink-0 border-r border-slate-200 bg-white px-4 py-6">
        <div className="mb-8 flex items-center gap-2 px-2 text-lg font-semibold text-brand-700">
          <Coffee size={22} /> Harbour Coffee
        </div>
        <nav className="space-y-1">
          {links.map(({ to, label, icon: Icon }) => (
            <NavLink
              key={to}
              to={to}
              end={to === '/'}
              className={({ isActive }) =>
                `flex items-center gap-3 rounded-lg px-3 py-2 text-sm ${
                  isActive ? 'bg-brand-50 font-medium text-brand-700' : 'text-slate-600 hover:bg-slate-100'
                }`
              }
            >
              <Icon size={18} /> {label}
            </NavLink>
          ))}
        </nav>
      </aside>
      <div className="flex-1">
        <header className="flex items-center justify-between border-b border-slate-200 bg-white px-8 py-3">
          <Input className="max-w-xs" prefix={<Search size={16} />} placeholder="Search orders and people" />
          <div className="flex items-center gap-5">
            <Badge count={3} size="small">
              <Bell size={20} className="text-slate-500" />
            </Badge>
            <Avatar style={{ background: '#2f6fed' }}>MK</Avatar>
          </div>
        </header>
        <main className="p-8">
          <Outlet />
        </main>
      </div>
    </div>
  )
}
