import { readForParent } from '../../../feeds/index.ts'
import { packOrders } from '../packed.ts'
import type { OrdersOf } from '../read-orders.ts'

await readForParent<OrdersOf>(packOrders)
