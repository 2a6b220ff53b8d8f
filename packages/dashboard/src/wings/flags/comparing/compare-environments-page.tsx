import { IconEqual } from '@tabler/icons-react'
import { server } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { counted } from '../../../ui/words/lists.ts'
import { NoFlagsHere } from '../flags/no-flags-here.tsx'
import { type LiveDifference, type LiveFlag, liveDifferences } from './live-comparison.ts'
import { EnvironmentChoice, NothingToCompare, useTwoEnvironments } from './two-environments.tsx'

/** Which flags visitors of two environments get in different ways. */
export function CompareEnvironmentsPage() {
  return usePlace().project.type === 'WEB' ? <NoFlagsHere title="Compare environments" /> : <Compared />
}

function Compared() {
  const { environment, other, environments } = useTwoEnvironments()
  return (
    <Page
      title="Compare environments"
      description="Flags that differ between two environments. Open one to copy its settings."
    >
      {other ? (
        <>
          <EnvironmentChoice environment={environment} other={other} environments={environments} />
          <Differences one={environment} other={other} />
        </>
      ) : (
        <NothingToCompare />
      )}
    </Page>
  )
}

function useLive({ sdkKey }: Environment) {
  return server.useQuery('get', '/api/sdk/v1/datafile/{sdkKey}.json', { params: { path: { sdkKey } } })
}

function Differences({ one, other }: { one: Environment; other: Environment }) {
  const index = useProjectIndex()
  const [left, right] = [useLive(one), useLive(other)]
  const flags = left.data && right.data && ([left.data.flags, right.data.flags] as unknown as Flags)
  const refetch = () => Promise.all([left.refetch(), right.refetch()])
  const names = new Map(index.data?.flags?.map(({ key, name }) => [key, name]))
  return (
    <Loaded query={{ data: flags, error: left.error ?? right.error, refetch }} like="table">
      {(flags) => {
        const rows = liveDifferences(...flags)
        return rows.length === 0 ? (
          <EmptyState icon={<IconEqual size={36} />} title="No difference">
            {`Visitors get the same in ${one.name} and in ${other.name}, ${counted(Object.keys(flags[0]).length, 'flag')}.`}
          </EmptyState>
        ) : (
          <DataTable
            caption="Flags that differ"
            rows={rows}
            keyOf={({ key }) => key}
            columns={columnsOf(one, other, names)}
          />
        )
      }}
    </Loaded>
  )
}

type Flags = [Record<string, LiveFlag>, Record<string, LiveFlag>]

const columnsOf = (
  one: Environment,
  other: Environment,
  names: ReadonlyMap<string, string>,
): Column<LiveDifference>[] => [
  {
    title: 'Flag',
    cell: ({ key }) => <FlagLink flag={key} name={names.get(key) ?? key} env={one.key} other={other.key} />,
  },
  { title: 'Differs in', cell: ({ what }) => what },
  { title: one.name, cell: ({ words }) => words[0] },
  { title: other.name, cell: ({ words }) => words[1] },
]

function FlagLink({ flag, name, env, other }: { flag: string; name: string; env: string; other: string }) {
  const { params } = usePlace()
  return (
    <TextLink to="/$org/$project/flags/$flag/compare" params={{ ...params, flag }} search={{ env, with: other }}>
      {name}
    </TextLink>
  )
}
