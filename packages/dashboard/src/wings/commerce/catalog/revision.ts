import type { Data } from '@svc/client'
import { catalogPath } from '../products/product.ts'

export const revisionsPath = `${catalogPath}/revisions` as const

export type Revision = Data<typeof revisionsPath, 'get'>[number]
