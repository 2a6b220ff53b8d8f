/** As in `retry-after.ts`, in fewer bytes: it reads seconds, as the service sends them, and no date. */
export const retryAfterMs = (response: Response): number => 1000 * Number(response.headers.get('retry-after')) || 0
