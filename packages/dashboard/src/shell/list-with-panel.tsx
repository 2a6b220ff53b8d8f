import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Loaded } from '../ui/layout/loaded.tsx'
import { withArticle } from '../ui/words/lists.ts'
import { useLatest, type Versioned } from '../versioned.ts'
import { Readable, useLastKnown } from './deleted.tsx'
import { ListPage, type ListPageProps } from './list-page.tsx'
import { usePlace } from './place.ts'

interface Row {
  id: string
  shortId: number
  name: string
}

interface ListWithPanelProps<Thing extends Row>
  extends Omit<ListPageProps<Thing>, 'panel'>,
    Pick<EditProps<Thing>, 'path' | 'read'> {
  /** The form, empty or of a thing as it was read. */
  form: (thing: Versioned<Thing> | undefined, close: () => void) => ReactNode
}

/** A list whose things have no page of their own: they are created and edited beside it. */
export function ListWithPanel<Thing extends Row>({ form, path, read, ...list }: ListWithPanelProps<Thing>) {
  const { noun, query } = list
  return (
    <ListPage
      {...list}
      panel={(name, close) =>
        name === 'create' ? (
          <Dialog onClose={close} title={`Create ${withArticle(noun)}`}>
            {form(undefined, close)}
          </Dialog>
        ) : (
          <Edit
            key={name}
            noun={noun}
            found={query.data?.find(({ shortId }) => String(shortId) === name)}
            path={path}
            read={read}
            onClose={close}
          >
            {(thing) => form(thing, close)}
          </Edit>
        )
      }
    />
  )
}

interface EditProps<Thing extends Row> {
  noun: string
  /** Undefined when another person has deleted it. */
  found: Thing | undefined
  /** The path of the call for one thing, which live messages name. */
  path: string
  read: (projectId: string, id: string) => Promise<Versioned<Thing>>
  onClose: () => void
  children: (thing: Versioned<Thing>) => ReactNode
}

/** The dialog stays open, with what is typed, when another person deletes the thing. */
function Edit<Thing extends Row>({ noun, found, onClose, ...latest }: EditProps<Thing>) {
  const thing = useLastKnown(found)
  if (!thing) return null
  return (
    <Dialog onClose={onClose} title={`Edit ${thing.name}`}>
      <Readable kind={noun.replaceAll(' ', '_')} id={thing.id} isDeleted={!found}>
        <Latest {...latest} id={thing.id} />
      </Readable>
    </Dialog>
  )
}

function Latest<Thing extends Row>({
  id,
  path,
  read,
  children,
}: Pick<EditProps<Thing>, 'path' | 'read' | 'children'> & { id: string }) {
  const { project } = usePlace()
  const query = useLatest(path, id, () => read(project.id, id))
  return <Loaded query={query}>{children}</Loaded>
}
