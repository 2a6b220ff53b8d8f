import { IconListDetails } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { ListPage } from '../../../shell/list-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Described } from '../../../ui/table/described.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { named } from '../references/named.ts'
import { type Segment, useSegments } from './segment.ts'
import { SegmentDialog } from './segment-form.tsx'
import { usesInWords } from './segment-words.ts'

/** Every segment of the project with the number of its visitor ids. */
export function SegmentsPage() {
  const { params, project } = usePlace()
  const navigate = useNavigate()
  const query = useSegments()
  const mayEdit = useMay('segments:write')
  const open = ({ shortId }: Segment) =>
    navigate({ to: '/$org/$project/segments/$segment', params: { ...params, segment: String(shortId) } })
  const columns: Column<Segment>[] = [
    {
      title: 'Segment',
      cell: ({ name, shortId, description }) => (
        <Described description={description}>
          <TextLink
            to="/$org/$project/segments/$segment"
            params={{ ...params, segment: String(shortId) }}
            underline="hover"
          >
            {name}
          </TextLink>
        </Described>
      ),
    },
    { title: 'Visitor ids', cell: ({ count }) => count.toLocaleString('en') },
    { title: 'Used by', cell: ({ usedBy }) => usesInWords(usedBy) ?? 'Nothing' },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <ListPage
      noun="segment"
      description="Lists of visitor ids. Conditions and audiences refer to them, and changes to a list take effect at once."
      Icon={IconListDetails}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at segments. Editors and admins can change them and see their ids."
      empty="A segment is a list of visitor ids, for example the customers of a pilot. Paste the ids or take them from a CSV file."
      command={`svc segment create --project ${project.key} --name "Pilot customers"`}
      filter={{ in: 'name or description', matching: named }}
      panel={(name, close) => name === 'create' && <SegmentDialog onClose={close} done={open} />}
    >
      {(rows) => <DataTable caption="Segments" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}
