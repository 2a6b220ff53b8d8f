import { IconUsersGroup } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { ListPage } from '../../../shell/list-page.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ConditionText } from '../../../ui/conditions/condition-text.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { StatusBadge } from '../../../ui/status/status-badge.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { Described } from '../../../ui/table/described.tsx'
import { Time } from '../../../ui/time/time.tsx'
import { named } from '../references/named.ts'
import { type Audience, conditionOf, namesIn, useAudiences, usesInWords } from './audience.ts'
import { AudiencePanel } from './audience-form.tsx'
import { useUnpublishedIn } from './unpublished-in.ts'

/** Every audience of the project: who is in it, in a sentence, and how many rules use it. */
export function AudiencesPage() {
  const { params, project } = usePlace()
  const navigate = useNavigate()
  const { data: index } = useProjectIndex()
  const query = useAudiences()
  const mayEdit = useMay('audiences:write')
  const open = ({ shortId }: Audience) =>
    navigate({ to: '/$org/$project/audiences/$audience', params: { ...params, audience: String(shortId) } })
  const names = namesIn(index)
  const unpublishedIn = useUnpublishedIn()
  const columns: Column<Audience>[] = [
    {
      title: 'Audience',
      cell: ({ name, shortId, description }) => (
        <Described description={description}>
          <TextLink
            to="/$org/$project/audiences/$audience"
            params={{ ...params, audience: String(shortId) }}
            underline="hover"
          >
            {name}
          </TextLink>
        </Described>
      ),
    },
    { title: 'Who is in it', cell: (audience) => <ConditionText condition={conditionOf(audience)} names={names} /> },
    { title: 'Used by', cell: ({ usedBy }) => usesInWords(usedBy) },
    { title: 'Unpublished in', cell: ({ id }) => <UnpublishedIn environments={unpublishedIn(id)} /> },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <ListPage
      noun="audience"
      description={`Named groups of visitors, described by conditions. ${project.type === 'WEB' ? 'Experiments' : 'Rules of flags'} refer to them.`}
      Icon={IconUsersGroup}
      query={query}
      mayEdit={mayEdit}
      onlyFor="You can look at audiences. Editors and admins can change them."
      empty={`An audience says who belongs together, for example visitors whose plan is beta. ${project.type === 'WEB' ? 'Several experiments' : 'Rules of several flags'} can refer to it.`}
      command={`svc audience create --project ${project.key} --name "Beta users" --where "plan equals beta"`}
      filter={{ in: 'name or description', matching: named }}
      panel={(name, close) => name === 'create' && <AudiencePanel onClose={close} done={open} />}
    >
      {(rows) => <DataTable caption="Audiences" rows={rows} keyOf={({ id }) => id} columns={columns} />}
    </ListPage>
  )
}

function UnpublishedIn({ environments }: { environments: readonly Environment[] }) {
  if (environments.length === 0) return 'None'
  return environments.map(({ id, name }) => (
    <StatusBadge key={id} tone="unpublished">
      {name}
    </StatusBadge>
  ))
}
