import type { Data } from '@svc/client'
import type { Sender } from '../deliveries/sender.ts'

export const listPath = '/api/v1/projects/{projectId}/destinations'
export const onePath = `${listPath}/{destinationId}` as const
const deliveriesPath = `${onePath}/deliveries`
const deliveryPath = `${deliveriesPath}/{recordId}`
export const previewPath = `${listPath}/preview` as const

export type Destination = Data<typeof onePath, 'get'>
export type Kind = Destination['kind']

/** Read again after a write to a destination. */
export const destinationPaths = [listPath, onePath, deliveriesPath, deliveryPath]

export const destinationSender = ({ id, enabled }: Destination): Sender => ({
  noun: 'destination',
  id,
  enabled,
  test: 'Send test message',
  retryDelaysMs: [],
  paths: {
    one: onePath as unknown as Sender['paths']['one'],
    deliveries: deliveriesPath as unknown as Sender['paths']['deliveries'],
    delivery: deliveryPath as unknown as Sender['paths']['delivery'],
  },
  at: (projectId) => ({ projectId, destinationId: id }) as never,
  deliveryAt: (projectId, recordId) => ({ projectId, destinationId: id, recordId }) as never,
  changed: destinationPaths,
  page: {
    to: '/$org/$project/integrations/destinations/$destination' as unknown as Sender['page']['to'],
    params: { destination: id } as never,
  },
})
