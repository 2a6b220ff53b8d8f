/** The choices of when events are sent. */
export const digests = [
  { value: 'NONE', label: 'At once' },
  { value: 'HOURLY', label: 'Together, every hour' },
  { value: 'DAILY', label: 'Together, once a day' },
] as const

export type Digest = (typeof digests)[number]['value']
