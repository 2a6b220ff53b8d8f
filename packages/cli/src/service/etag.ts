/** The `X-Svc-If-Match` of a write to what was read in this answer. */
export const etagOf = (answer: Response): string => answer.headers.get('etag') ?? '*'
