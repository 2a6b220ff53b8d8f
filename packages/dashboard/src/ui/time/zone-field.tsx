import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { zones } from './zones.ts'

interface ZoneFieldProps extends Omit<NativeSelectProps, 'data' | 'value'> {
  value: string
  /** What the empty value means. Without it, a zone must be chosen. */
  none?: string
}

/** A time zone: that of the browser first, then UTC, then all others. */
export function ZoneField({ none, value, ...field }: ZoneFieldProps) {
  const known = zones(value === '' ? [] : [value])
  return (
    <NativeSelect {...field} value={value} data={none === undefined ? known : [{ value: '', label: none }, ...known]} />
  )
}
