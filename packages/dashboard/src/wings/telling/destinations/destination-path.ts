import type { Data } from '@svc/client'
import { IconBell } from '@tabler/icons-react'
import type { Sender, SenderKind } from '../deliveries/sender.ts'

export const listPath = '/api/v1/projects/{projectId}/destinations'
export const onePath = `${listPath}/{destinationId}` as const
const deliveriesPath = `${onePath}/deliveries`
export const previewPath = `${listPath}/preview` as const

export type Destination = Data<typeof onePath, 'get'>
export type Kind = Destination['kind']

export const destinations: SenderKind = {
  noun: 'destination',
  Icon: IconBell,
  scopes: { read: 'integrations:read', write: 'integrations:write' },
  test: 'Send test message',
  whileOff: 'Later events are not sent.',
  deleted:
    'It gets no more events, waiting deliveries are not sent, and its history is deleted. Messages and tickets that it created are kept.',
  paths: {
    list: listPath,
    one: onePath,
    deliveries: deliveriesPath,
    delivery: `${deliveriesPath}/{recordId}`,
  } as unknown as SenderKind['paths'],
  at: (projectId, destinationId) => ({ projectId, destinationId }) as never,
  deliveryAt: (projectId, destinationId, recordId) => ({ projectId, destinationId, recordId }) as never,
  pages: {
    all: '/$org/$project/integrations/destinations',
    one: '/$org/$project/integrations/destinations/$destination',
    params: (destination: string) => ({ destination }),
  } as unknown as SenderKind['pages'],
}

export const destinationSender = ({ kind: _kind, ...destination }: Destination): Sender => ({
  kind: destinations,
  ...destination,
})
