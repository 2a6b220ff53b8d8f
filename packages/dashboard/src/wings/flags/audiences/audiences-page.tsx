import { Button, Text } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { useKeys } from '../../../shell/keys.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { ConditionText } from '../../../ui/condition-text.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { counted } from '../../../ui/lists.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { OnlyFor } from '../../../ui/only-for.tsx'
import { Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { named } from '../references/named.ts'
import { type Audience, conditionOf, namesIn, useAudiences, usesInWords } from './audience.ts'
import { AudiencePanel } from './audience-form.tsx'

/** Every audience of the project: who is in it, in a sentence, and how many rules use it. */
export function AudiencesPage() {
  const { params } = usePlace()
  const navigate = useNavigate()
  const { q = '', panel } = useSearch({ from: '/inside/$org/$project/audiences' })
  const { data: index } = useProjectIndex()
  const query = useAudiences()
  const mayEdit = useMay('audiences:write')
  const field = useRef<HTMLInputElement>(null)
  const go = (next: { q?: string; panel?: string }) =>
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false })
  const create = () => go({ ...(q && { q }), panel: 'create' })
  const close = () => go(q ? { q } : {})
  useKeys({
    '/': { label: 'Filter this list', act: () => field.current?.focus() },
    ...(mayEdit && { c: { label: 'Create an audience', act: create } }),
  })
  const button = mayEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      Create audience
    </Button>
  )
  const open = ({ shortId }: Audience) =>
    navigate({ to: '/$org/$project/audiences/$audience', params: { ...params, audience: String(shortId) } })
  const names = namesIn(index)
  const columns: Column<Audience>[] = [
    {
      title: 'Audience',
      cell: ({ name, shortId, description }) => (
        <>
          <TextLink
            to="/$org/$project/audiences/$audience"
            params={{ ...params, audience: String(shortId) }}
            underline="hover"
          >
            {name}
          </TextLink>
          {description && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {description}
            </Text>
          )}
        </>
      ),
    },
    { title: 'Who is in it', cell: (audience) => <ConditionText condition={conditionOf(audience)} names={names} /> },
    { title: 'Used by', cell: ({ usedBy }) => usesInWords(usedBy) },
    { title: 'Edited', cell: ({ updatedAt }) => <Time time={updatedAt} /> },
  ]
  return (
    <Page
      title="Audiences"
      description="Named groups of visitors, described by conditions. Rules of flags refer to them."
      actions={query.data?.length !== 0 && button}
    >
      {!mayEdit && <OnlyFor>You can look at audiences. Editors and admins can change them.</OnlyFor>}
      <Loaded query={query} like="table" lines={5}>
        {(audiences) => {
          const rows = named(audiences, q)
          if (audiences.length === 0)
            return (
              <EmptyState icon={<IconUsersGroup size={36} />} title="No audiences yet" action={button}>
                An audience says who belongs together, for example visitors whose plan is beta. Rules of several flags
                can refer to it.
              </EmptyState>
            )
          return (
            <>
              <Toolbar
                search={{
                  text: q,
                  onSearch: (text) => go(text === '' ? {} : { q: text }),
                  label: 'Filter by name or description',
                  ref: field,
                }}
                count={
                  q === ''
                    ? counted(audiences.length, 'audience')
                    : `${rows.length} of ${counted(audiences.length, 'audience')}`
                }
              />
              {rows.length === 0 ? (
                <EmptyState
                  icon={<IconUsersGroup size={36} />}
                  title="No audience matches"
                  action={
                    <Button variant="default" onClick={() => go({})}>
                      Clear the filter
                    </Button>
                  }
                >
                  No name and no description contains this text.
                </EmptyState>
              ) : (
                <DataTable caption="Audiences" rows={rows} keyOf={({ id }) => id} columns={columns} />
              )}
            </>
          )
        }}
      </Loaded>
      {panel === 'create' && mayEdit && <AudiencePanel onClose={close} done={open} />}
    </Page>
  )
}
