import { NativeSelect } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChooseEnvironment } from '../../../shell/choose-environment.tsx'
import { useEnvironment } from '../../../shell/environment.ts'
import { useProjectIndex } from '../../../shell/index-query.ts'
import { OnlyFor } from '../../../shell/only-for.tsx'
import { type Environment, usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { Loaded } from '../../../ui/layout/loaded.tsx'
import { ButtonLink, TextLink } from '../../../ui/links/links.tsx'
import { FlagFrame } from '../../flags/flags/flag-frame.tsx'
import { type Flag, useFlagEnvironment } from '../../flags/flags/flag-queries.ts'
import { unpublishedIn } from '../../flags/flags/unpublished.ts'
import { newExperimentPanel } from '../../flags/rules/new-experiment.ts'
import { useMayTest } from '../experiments/experiment.ts'
import { Freshness } from './freshness.tsx'
import type { Arms } from './metric-tables.tsx'
import { useDimension, useResults, type WhichResults } from './results-query.ts'
import { ResultsView } from './results-view.tsx'
import type { Winner } from './verdict.ts'
import { resultsSearch } from './view.ts'
import { ExampleLink, WhileWaiting } from './while-waiting.tsx'

/** The results of the A/B tests of a flag in an environment, one at a time. */
export function FlagResultsPage() {
  return <FlagFrame>{({ content }) => <InEnvironment flag={content} />}</FlagFrame>
}

function InEnvironment({ flag }: { flag: Flag }) {
  const { environment } = useEnvironment()
  const search = useSearch({ from: '/inside/$org/$project/flags/$flag/results' })
  const navigate = useNavigate()
  const query = useFlagEnvironment(flag, environment.id)
  const { data: index } = useProjectIndex()
  return (
    <>
      <ChooseEnvironment panelId="results" unpublished={(envId) => unpublishedIn(index, envId, flag.key)} />
      <section id="results" aria-label={`Results in ${environment.name}`}>
        <Loaded query={{ ...query, data: query.data?.content }} lines={5}>
          {({ live, draft }) => {
            const tests = testsOf(live.rules, draft.rules)
            const chosen = tests.find(({ id }) => id === search.rule) ?? tests[0]
            if (!chosen) return <NoTest flag={flag} environment={environment} />
            return (
              <>
                {tests.length > 1 && (
                  <NativeSelect
                    label="A/B test"
                    mb="md"
                    maw={360}
                    value={chosen.id}
                    onChange={(event) =>
                      void navigate({
                        to: '.',
                        search: { ...search, env: environment.key, rule: event.currentTarget.value } as never,
                        resetScroll: false,
                      })
                    }
                    data={tests.map(({ id, name }) => ({ value: id, label: name }))}
                  />
                )}
                <TestResults
                  key={chosen.id}
                  flag={flag}
                  which={{ projectId: flag.projectId, flagId: flag.id, ruleId: chosen.id }}
                  envKey={environment.key}
                  title={`${flag.name} · ${chosen.name} · ${environment.name}`}
                />
              </>
            )
          }}
        </Loaded>
      </section>
    </>
  )
}

function NoTest({ flag, environment }: { flag: Flag; environment: Environment }) {
  const { params } = usePlace()
  const mayTest = useMayTest()
  return (
    <EmptyState
      icon={<IconChartBar size={36} />}
      title={`No A/B test in ${environment.name}`}
      action={
        mayTest && (
          <ButtonLink
            to="/$org/$project/experiments"
            params={params}
            search={{ panel: newExperimentPanel(flag.key, environment.key) }}
          >
            Add an A/B test
          </ButtonLink>
        )
      }
    >
      An A/B test shows which variation is better.{' '}
      <TextLink to="/$org/$project/experiments/calculator" params={params}>
        Calculate how many visitors it needs
      </TextLink>
      , or <ExampleLink />
    </EmptyState>
  )
}

/** The live tests, then those that are only drafted. */
function testsOf<Rule extends { id: string; type: string }>(live: readonly Rule[], draft: readonly Rule[]): Rule[] {
  const added = draft.filter(({ id }) => live.every((rule) => rule.id !== id))
  return [...live, ...added].filter(({ type }) => type === 'AB_TEST')
}

/** What is tested: a flag, or a web experiment. */
interface Tested {
  variations: readonly { id: string; name: string }[]
}

interface TestResultsProps {
  flag: Tested
  which: WhichResults
  envKey: string
  /** What was tested, for a picture of the results. */
  title: string
  winner?: Winner | undefined
}

/** The results of one test, with a button that computes them again. */
export function TestResults(props: TestResultsProps) {
  return useMay('results:read') ? (
    <Readable {...props} />
  ) : (
    <OnlyFor>Your role does not include reading results. The permission that opens them is “results:read”.</OnlyFor>
  )
}

function Readable({ flag, which, envKey, title, winner }: TestResultsProps) {
  const { query, ...freshness } = useResults(which)
  const navigate = useNavigate()
  const { view = 'simple', by: chosen = '' } = resultsSearch(useSearch({ strict: false }))
  const choose = (by: string) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, by: by === '' ? undefined : by })) as never,
      resetScroll: false,
    })
  const dimension = useDimension(which, chosen)
  return (
    <Loaded query={query} lines={6}>
      {(results) => (
        <ResultsView
          results={results}
          arms={armsOf(flag, results)}
          view={view}
          winner={winner}
          title={title}
          freshness={(share) => <Freshness results={results} dimension={chosen} share={share} {...freshness} />}
          byDimension={{
            ...{ chosen, choose, dimension: dimension.data },
            ...(!dimension.data && { instead: <Loaded query={dimension}>{() => null}</Loaded> }),
          }}
          whileWaiting={<WhileWaiting results={results} envKey={envKey} />}
        />
      )}
    </Loaded>
  )
}

/** Names and places of the variations, from the flag as it is now; one that was removed has its key. */
export function armsOf(
  { variations }: Tested,
  { units }: { units: { variations: { variationId: string; key: string }[] } },
): Arms {
  const placeOf = (id: string) => variations.findIndex((variation) => variation.id === id)
  return {
    nameOf: (id) =>
      variations[placeOf(id)]?.name ??
      units.variations.find(({ variationId }) => variationId === id)?.key ??
      'A variation',
    armOf: (id) => Math.max(0, placeOf(id)),
  }
}
