/** Options of a route that the OpenAPI description leaves out, and whose answers are not logged. */
export const hidden = { schema: { hide: true }, config: { quiet: true } } as const
