import { randomUUID } from 'node:crypto'
import type { TestService } from './service.ts'

export interface Door {
  name: string
  /** The status of an answer to a key that is known, and to one that is not. */
  open: number
  shut: number
  enter(node: TestService, sdkKey: string): Promise<{ status: number }>
}

export const beatOf = (sdkKey: string, more: object = {}) => ({
  ...{ sdkKey, instanceId: 'a', sdkType: 'node', sdkVersion: '1.4.0', revision: 0 },
  ...more,
})

const track = () => ({ type: 'track', id: randomUUID(), ts: Date.now(), unit: 'u-17', eventKey: 'order_paid' })

/** Everything that takes the SDK key of an environment, which must have the flag `checkout`. */
export const sdkDoors: readonly Door[] = [
  {
    ...{ name: 'data file', open: 200, shut: 404 },
    enter: (node, sdkKey) => node.call(null, 'GET', `/api/sdk/v1/datafile/${sdkKey}.json`),
  },
  {
    ...{ name: 'stream', open: 200, shut: 404 },
    enter: (node, sdkKey) => node.call(null, 'HEAD', `/api/sdk/v1/stream/${sdkKey}`),
  },
  {
    ...{ name: 'evaluation of a flag by OFREP', open: 200, shut: 401 },
    enter: (node, sdkKey) =>
      node.call(null, 'POST', '/ofrep/v1/evaluate/flags/checkout', { context: {} }, { 'x-api-key': sdkKey }),
  },
  {
    ...{ name: 'evaluation of all flags by OFREP', open: 200, shut: 401 },
    enter: (node, sdkKey) =>
      node.call(null, 'POST', '/ofrep/v1/evaluate/flags', { context: {} }, { authorization: `Bearer ${sdkKey}` }),
  },
  {
    ...{ name: 'events', open: 202, shut: 401 },
    enter: (node, sdkKey) => node.call(null, 'POST', '/api/sdk/v1/events', { sdkKey, events: [track()] }),
  },
  {
    ...{ name: 'heartbeat', open: 200, shut: 401 },
    enter: (node, sdkKey) => node.call(null, 'POST', '/api/sdk/heartbeat', beatOf(sdkKey)),
  },
]

export const allOpen = sdkDoors.map(({ open }) => open)
export const allShut = sdkDoors.map(({ shut }) => shut)

/** The statuses that a node answers at every door. */
export async function statusesOf(node: TestService, sdkKey: string): Promise<number[]> {
  const statuses: number[] = []
  for (const { enter } of sdkDoors) statuses.push((await enter(node, sdkKey)).status)
  return statuses
}
