import type { Color } from './terminal.ts'

const colors: Record<string, Color> = {
  RUNNING: 'green',
  PAUSED: 'yellow',
  DRAFT: 'dim',
  ARCHIVED: 'dim',
  COMPLETED: 'dim',
  DELIVERED: 'green',
  FAILED: 'red',
}

/** The color of a status in tables. A status without a special meaning has none. */
export const statusColor = (status: string): Color | undefined =>
  Object.hasOwn(colors, status) ? colors[status] : undefined
