import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { server } from '../../../api.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { TextLink } from '../../../ui/links/links.tsx'
import { type Column, DataTable } from '../../../ui/table/data-table.tsx'
import { capital, counted, including } from '../../../ui/words/lists.ts'
import type { Task } from '../bulk/bulk-tasks.ts'
import type { IndexedFlag } from '../flags/flag-filter.ts'
import { NoFlagsHere } from '../flags/no-flags-here.tsx'
import { servingWords } from '../flags/serving-words.ts'
import classes from './comparing.module.css'
import { copyingTask } from './copying.ts'
import { type LiveDifference, type LiveFlag, liveDifferences } from './live-comparison.ts'
import { EnvironmentChoice, NothingToCompare, useTwoEnvironments } from './two-environments.tsx'

// Needed only to copy.
const TaskDialog = lazy(async () => ({ default: (await import('../bulk/task-dialog.tsx')).TaskDialog }))

/** Which flags visitors of two environments get in different ways. */
export function CompareEnvironmentsPage() {
  return usePlace().project.type === 'WEB' ? <NoFlagsHere title="Compare environments" /> : <Compared />
}

function Compared() {
  const { environment, other, environments } = useTwoEnvironments()
  return (
    <Page
      title="Compare environments"
      description="Flags that visitors of two environments get in different ways. Copy several at once, or open one to see what differs."
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
  // The file may be served stale for half a minute while it is read again. A person has just published.
  const init = { params: { path: { sdkKey } }, cache: 'no-cache' as const }
  return server.useQuery('get', '/api/sdk/v1/datafile/{sdkKey}.json', init)
}

function Differences({ one, other }: { one: Environment; other: Environment }) {
  const index = useProjectIndex()
  const [left, right] = [useLive(one), useLive(other)]
  const flags = left.data && right.data && ([left.data.flags, right.data.flags] as unknown as Flags)
  const refetch = () => Promise.all([left.refetch(), right.refetch()])
  return (
    <Loaded query={{ data: flags, error: left.error ?? right.error, refetch }} like="table">
      {(flags) => {
        const rows = liveDifferences(...flags)
        return rows.length === 0 ? (
          <EmptyState icon={<IconEqual size={36} />} title="No difference">
            {`Visitors get the same in ${one.name} and in ${other.name}, ${counted(Object.keys(flags[0]).length, 'flag')}.`}
          </EmptyState>
        ) : (
          <DifferingFlags
            key={`${one.id} ${other.id}`}
            one={one}
            other={other}
            rows={rows}
            flags={new Map(index.data?.flags?.map((flag) => [flag.key, flag]))}
            places={[one, other].map(({ id }) => index.data?.environments?.findIndex((each) => each.id === id) ?? -1)}
          />
        )
      }}
    </Loaded>
  )
}

type Flags = [Record<string, LiveFlag>, Record<string, LiveFlag>]

interface DifferingProps {
  one: Environment
  other: Environment
  rows: readonly LiveDifference[]
  /** The flags of the index, by key. */
  flags: ReadonlyMap<string, IndexedFlag>
  /** The places of both environments in the index. */
  places: readonly number[]
}

/** The flags that differ. Chosen ones are copied from one environment to the drafts of the other. */
function DifferingFlags({ one, other, rows, flags, places }: DifferingProps) {
  const client = useQueryClient()
  const { project } = usePlace()
  const mayEdit = useMay('flags:write')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [task, setTask] = useState<Task>()
  const copied = rows.flatMap(({ key }) => (chosen.has(key) ? (flags.get(key) ?? []) : []))
  const nameOf = (key: string) => flags.get(key)?.name ?? key
  const ask = (from: Environment, to: Environment) =>
    setTask(copyingTask({ client, projectId: project.id, from, to }, copied))
  return (
    <Stack gap="md">
      {mayEdit ? (
        <Group gap="xs">
          <Button variant="default" onClick={() => setChosen(new Set(rows.map(({ key }) => key)))}>
            Choose all
          </Button>
          {copied.length > 0 && (
            <>
              <Button onClick={() => ask(one, other)}>
                Copy {counted(copied.length, 'flag')} to {other.name}
              </Button>
              <Button variant="default" onClick={() => ask(other, one)}>
                Copy {counted(copied.length, 'flag')} to {one.name}
              </Button>
            </>
          )}
        </Group>
      ) : (
        <OnlyFor>You can compare environments. Editors and admins can copy from one to the other.</OnlyFor>
      )}
      <DataTable
        caption="Flags that differ"
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          {
            title: 'Flag',
            cell: ({ key }) => <FlagLink flag={key} name={nameOf(key)} env={one.key} other={other.key} />,
          },
          { title: 'Differs in', cell: ({ what }) => what },
          ...([0, 1] as const).map((side) => ({
            title: [one, other][side]!.name,
            cell: ({ key, words }: LiveDifference) => sideWords(flags.get(key), places[side]!) ?? words[side],
          })),
          ...(mayEdit ? [chooseColumn(chosen, setChosen, nameOf)] : []),
        ]}
      />
      {task && (
        <Suspense>
          <TaskDialog task={task} onClose={() => setTask(undefined)} onDone={() => setChosen(new Set())} />
        </Suspense>
      )}
    </Stack>
  )
}

function chooseColumn(
  chosen: ReadonlySet<string>,
  choose: (chosen: ReadonlySet<string>) => void,
  nameOf: (key: string) => string,
): Column<LiveDifference> {
  return {
    title: 'Choose',
    isActions: true,
    cell: ({ key }) => (
      <Checkbox
        label={<span className={classes.choose}>Choose</span>}
        aria-label={`Choose ${nameOf(key)}`}
        checked={chosen.has(key)}
        onChange={({ currentTarget: { checked } }) => choose(including(chosen, key, checked))}
      />
    ),
  }
}

/** "On for 5 %", "Paused": what visitors get there. Undefined if the index does not know. */
function sideWords(flag: IndexedFlag | undefined, place: number): string | undefined {
  const state = flag?.states[place]
  if (!state) return undefined
  return state.serves ? capital(servingWords(state.serves)) : 'Paused'
}

function FlagLink({ flag, name, env, other }: { flag: string; name: string; env: string; other: string }) {
  const { params } = usePlace()
  return (
    <TextLink to="/$org/$project/flags/$flag/compare" params={{ ...params, flag }} search={{ env, with: other }}>
      {name}
    </TextLink>
  )
}
