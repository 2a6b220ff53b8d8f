/** A colour as browsers compute it, in the form that a colour field takes; undefined for every other one. */
export function hexOf(color: string): string | undefined {
  if (/^#[\da-f]{6}$/i.test(color)) return color.toLowerCase()
  const [short, ...digits] = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color) ?? []
  if (short) return `#${digits.map((digit) => digit + digit).join('')}`.toLowerCase()
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)?.slice(1)
  return parts && `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}
