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

/** The color of a status in tables; none for a status that stands for nothing in particular. */
export const statusColor = (status: string): Color | undefined =>
  Object.hasOwn(colors, status) ? colors[status] : undefined
