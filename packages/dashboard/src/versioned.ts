import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { announce } from './ui/announce.tsx'

/** What was read, with its version, for a write that is refused if the content has changed since. */
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

/** Loads everything again that was read from these paths. */
export async function refresh(client: QueryClient, ...paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: ['get', path] })))
}

/** For the end of a change: loads again what shows it, then announces that it is done. */
export function useDone(): (message: string, ...paths: string[]) => Promise<void> {
  const client = useQueryClient()
  return async (message, ...paths) => {
    await refresh(client, ...paths)
    announce(message)
  }
}
