type Send = (request: Request) => Promise<Response>

/**
 * The reads that answer 304 as long as nothing has changed. ETags of other reads are for edits: a switch keeps them.
 */
export const revalidated = [
  /\/api\/v1\/projects\/[^/]+\/(.*\/)?(index|staged|results)$/,
  /\/api\/sdk\/v1\/datafile\//,
  /\/sdk\/v1\/web\/[^/]+$/,
  /\/openfeature\/v0\/manifest$/,
]

/** Reads again only what has changed: a 304 gives the earlier answer. */
export function remembering(send: Send): Send {
  const kept = new Map<string, { etag: string; headers: Headers; body: ArrayBuffer }>()
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method !== 'GET' || !revalidated.some((pattern) => pattern.test(pathname))) return send(request)
    const known = kept.get(request.url)
    if (known) request.headers.set('if-none-match', known.etag)
    const response = await send(request)
    if (response.status === 304 && known) return new Response(known.body, { headers: known.headers })
    const etag = response.headers.get('etag')
    if (!response.ok || etag === null) return response
    const body = await response.arrayBuffer()
    kept.set(request.url, { etag, headers: response.headers, body })
    return new Response(body, { headers: response.headers })
  }
}
