import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { StatusDot } from '../../../ui/status/status-dot.tsx'
import { percentOf, whole } from '../../../ui/words/percent.ts'
import { type ExperimentOnPages, onePath, useMayTest } from './experiment.ts'
import classes from './launch-checklist.module.css'
import { webChecklist } from './web-words.ts'

const launchPath = `${onePath}/launch` as const

/** What a launch would do, and what is to be done before it. */
export function BeforeWebLaunch({ experiment, place }: { experiment: ExperimentOnPages; place: string }) {
  const { trafficAllocation } = experiment
  const warnings = useLaunchWarnings(experiment)
  return (
    <Section title="Before the launch">
      <Text size="sm">
        In {place}, {trafficAllocation === whole ? 'all visitors' : `${percentOf(trafficAllocation)} of the visitors`}{' '}
        of its pages who match the targeting take part. Nothing reaches them before the launch.
      </Text>
      <ul className={classes.list} aria-label="Before the launch">
        {webChecklist(experiment, warnings ?? []).map(({ tone, words }) => (
          <li key={words}>
            <Stack gap={2} align="flex-start" className={classes.check ?? ''}>
              <StatusDot tone={tone}>{words}</StatusDot>
            </Stack>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What a launch would refuse or warn of. It is asked again whenever the experiment changes. */
function useLaunchWarnings({ id, projectId, updatedAt, variations, pages }: ExperimentOnPages) {
  const mayTest = useMayTest()
  const path = { projectId, experimentId: id }
  const { data } = useQuery({
    queryKey: ['get', launchPath, path, updatedAt, variations, pages],
    queryFn: async ({ signal }) =>
      (await api.POST(launchPath, { params: { path, header: onlyOnce() }, body: { dryRun: true }, signal })).data!.data,
    enabled: mayTest,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data?.warnings
}
