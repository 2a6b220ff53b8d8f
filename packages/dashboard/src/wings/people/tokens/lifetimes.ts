/** The lifetimes that the service accepts for a new token. */
export const lifetimes = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '1y', label: '1 year' },
  { value: 'never', label: 'Never' },
] as const

export type Lifetime = (typeof lifetimes)[number]['value']
