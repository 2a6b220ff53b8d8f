import { useMutation } from '@tanstack/react-query'
import { announce } from '../../ui/notice/announce.tsx'

/** Archives a thing, or brings it back. The message can take it back. */
export function useArchiving<Thing extends { name: string; archived: boolean }>(
  put: (thing: Thing, archived: boolean) => Promise<unknown>,
) {
  return useMutation({
    mutationFn: (thing: Thing) => put(thing, !thing.archived),
    onSuccess: (_answer, thing) =>
      announce(`${thing.name} ${thing.archived ? 'brought back' : 'archived'}.`, {
        undo: () => put(thing, thing.archived),
      }),
  })
}
