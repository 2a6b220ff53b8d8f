/** As in `found-in.ts`, in fewer bytes: names alone, and nothing if there are none. */
export const foundIn = (context: unknown): string =>
  typeof context === 'object' ? `${Object.keys(context ?? {})}` : typeof context

/** As in `found-in.ts`: pages tell of a context only where a rule draws, or where it is a text. */
export const misnamedVisitors = () => () => false
