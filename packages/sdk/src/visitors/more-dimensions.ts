import type { Context } from '../details.ts'

/** In a context: names of attributes that are sent besides the dimensions of the client. */
export const moreDimensions = Symbol.for('svc.dimensions')

export const moreDimensionsIn = (context: Context): readonly string[] =>
  (context as { [moreDimensions]?: readonly string[] })[moreDimensions] ?? []
