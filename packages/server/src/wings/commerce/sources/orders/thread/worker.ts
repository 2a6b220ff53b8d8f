import { readForParent } from '../../../feeds/index.ts'
import { type PackingOf, packOrders } from '../packed.ts'

await readForParent<PackingOf>(packOrders)
