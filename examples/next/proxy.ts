import { type NextRequest, NextResponse } from 'next/server'

/** Gives every visitor an id before the first page is rendered. */
export function proxy(request: NextRequest): NextResponse {
  if (request.cookies.has('visitor')) return NextResponse.next()
  const visitor = crypto.randomUUID()
  request.cookies.set('visitor', visitor)
  const response = NextResponse.next({ request: { headers: request.headers } })
  response.cookies.set('visitor', visitor, { maxAge: 31_536_000, sameSite: 'lax', httpOnly: true })
  return response
}

export const config = { matcher: '/((?!_next/|favicon.ico).*)' }
