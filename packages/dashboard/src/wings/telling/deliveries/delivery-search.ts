import type { Chosen, Filter } from '../../../ui/table/filters.ts'
import type { DeliveryStatus } from './delivery.ts'
import { sentEvents } from './events.ts'

/** What the address of a webhook says about its deliveries: the filters, and the delivery that is open. */
export interface DeliverySearch {
  status?: string
  event?: string
  /** How far back: `24h` or `7d`. Without it, all that are kept. */
  since?: string
  /** Id of the delivery that is open. */
  delivery?: string
  /** The form that is open: `edit`, `replay`. */
  panel?: string
}

export const statusOptions: { value: string; label: string; status: DeliveryStatus }[] = [
  { value: 'waiting', label: 'Waiting', status: 'PENDING' },
  { value: 'delivered', label: 'Delivered', status: 'DELIVERED' },
  { value: 'failed', label: 'Failed', status: 'FAILED' },
  { value: 'refused', label: 'Refused for good', status: 'PERMANENTLY_FAILED' },
]

const hourMs = 3_600_000

export const sinceOptions = [
  { value: '24h', label: 'Last 24 hours', ms: 24 * hourMs },
  { value: '7d', label: 'Last 7 days', ms: 7 * 24 * hourMs },
]

/** The filters of the page. Each has one value at most, because the API takes one. */
export const filters: Filter[] = [
  { key: 'status', label: 'Status', options: statusOptions, isSingle: true },
  {
    key: 'event',
    label: 'Event',
    options: sentEvents.map((event) => ({ value: event, label: event })),
    isSingle: true,
  },
  { key: 'since', label: 'Time', options: sinceOptions, isSingle: true },
]

export const chosenIn = (search: DeliverySearch): Chosen =>
  Object.fromEntries(
    (['status', 'event', 'since'] as const).flatMap((key) => (search[key] ? [[key, [search[key]]]] : [])),
  )

/** The filters of the API. Unknown words of the address are left out. */
export function filtersOf({ status, event, since }: DeliverySearch, now: Date, events: readonly string[]) {
  const wanted = statusOptions.find(({ value }) => value === status)
  const span = sinceOptions.find(({ value }) => value === since)
  return {
    ...(wanted && { status: wanted.status }),
    ...(event !== undefined && events.includes(event) && { eventType: event }),
    ...(span && { since: new Date(now.getTime() - span.ms).toISOString() }),
  }
}

export const isFiltered = ({ status, event, since }: DeliverySearch): boolean =>
  [status, event, since].some((value) => value !== undefined)
