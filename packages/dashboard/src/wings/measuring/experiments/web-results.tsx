import type { Environment } from '../../../shell/place.ts'
import { TestResults } from '../results/results-page.tsx'
import type { ExperimentOnPages } from './experiment.ts'
import { winnerOf } from './what-is-tested.tsx'

interface WebResultsProps {
  experiment: ExperimentOnPages
  environment: Environment | undefined
}

/** The results of a web experiment, with its health. */
export const WebResults = ({ experiment, environment }: WebResultsProps) => (
  <TestResults
    flag={experiment}
    which={{ projectId: experiment.projectId, experimentId: experiment.id }}
    envKey={environment?.key ?? ''}
    title={`${experiment.name} · ${environment?.name ?? ''}`}
    winner={winnerOf(experiment)}
  />
)
