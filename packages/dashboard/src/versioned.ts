import type { QueryClient } from '@tanstack/react-query'

/** What was read and which version of it: for a write that holds only as long as nobody else was faster. */
export interface Versioned<Content> {
  content: Content
  etag: string
}

/** The header of such a write. */
export const onlyIf = (etag: string) => ({ 'x-svc-if-match': etag })

export function versioned<Content>({
  data,
  response,
}: {
  data?: { data: Content } | undefined
  response: Response
}): Versioned<Content> {
  return { content: data!.data, etag: response.headers.get('etag') ?? '*' }
}

/** Everything that was read from these addresses is read again. */
export async function refresh(client: QueryClient, ...paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: ['get', path] })))
}
