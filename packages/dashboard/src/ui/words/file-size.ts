const units = [
  ['B', 1],
  ['KB', 1000],
  ['MB', 1_000_000],
  ['GB', 1_000_000_000],
] as const

/** "340 B", "12 KB", "1.5 MB", "1 GB", in thousands. */
export function sizeText(bytes: number): string {
  const [unit, factor] = units.findLast(([, factor]) => bytes >= factor) ?? units[0]
  const amount = bytes / factor
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`
}

/** Why a file is not taken, or undefined. */
export function fileFault(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  accept: string,
  maxBytes: number,
) {
  if (size === 0) return `${name} is empty.`
  if (size > maxBytes) return `${name} has ${sizeText(size)}, the limit is ${sizeText(maxBytes)}. Split it.`
  const kinds = accept.split(',').map((kind) => kind.trim().toLowerCase())
  const isAccepted = kinds.some((kind) => (kind.startsWith('.') ? name.toLowerCase().endsWith(kind) : kind === type))
  return isAccepted ? undefined : `${name} is not one of ${kinds.join(', ')}.`
}
