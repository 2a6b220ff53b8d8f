/** Numbers of an answer: null where a figure does not exist. JSON cannot carry NaN or infinities. */
export type Figures<T> = { [Key in keyof T]: T[Key] extends number ? number | null : T[Key] }

/** Replaces NaN and infinities by null. Other values stay. */
export function figures<T extends Record<string, unknown>>(values: T): Figures<T> {
  const entries = Object.entries(values).map(([key, value]) => [key, typeof value === 'number' ? finite(value) : value])
  return Object.fromEntries(entries) as Figures<T>
}

/** The number, or null if it is NaN or infinite. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
