import { createRoot } from 'react-dom/client'
import { Coffee, CoffeeMachineThatDoesNotExist } from 'lucide-react'

createRoot(document.getElementById('root')!).render(
  <p>
    <Coffee /> <CoffeeMachineThatDoesNotExist />
  </p>,
)
