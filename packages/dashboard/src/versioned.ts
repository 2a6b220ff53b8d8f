import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { announce } from './ui/notice/announce.tsx'

/** Content with its version, for a write that is refused if the content has changed since it was read. */
export interface Versioned<Content> {
  content: Content
  etag: string
}

/** The header that makes a write conditional on this version. */
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

/** Reads what a dialog edits when the dialog opens, so that a save cannot overwrite what was changed since a list was read. */
export const useLatest = <Content>(path: string, id: string, read: () => Promise<Versioned<Content>>) =>
  useQuery({ queryKey: ['get', path, id], queryFn: read, gcTime: 0, refetchOnWindowFocus: false })

/** Reloads everything that was read from these paths. */
export async function refresh(client: QueryClient, ...paths: string[]): Promise<void> {
  await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: ['get', path] })))
}

/** Returns a function for the end of a change: it reloads the given paths, then announces the message. */
export function useDone(): (message: string, ...paths: string[]) => Promise<void> {
  const client = useQueryClient()
  return async (message, ...paths) => {
    await refresh(client, ...paths)
    announce(message)
  }
}
