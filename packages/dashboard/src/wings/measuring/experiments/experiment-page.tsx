import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ExperimentObject } from './experiment-object.tsx'

// A project has experiments of one kind.
const FeatureExperiment = lazy(async () => ({
  default: (await import('./feature-experiment.tsx')).FeatureExperiment,
}))
const WebExperiment = lazy(async () => ({ default: (await import('./web-experiment.tsx')).WebExperiment }))

/** One experiment, on a flag or on web pages. */
export function ExperimentPage() {
  const { experiment } = useParams({ from: '/inside/$org/$project/experiments/$experiment' })
  return (
    <ExperimentObject wanted={experiment}>
      {(found) => (
        <Suspense>
          {found.content.flagId === null ? (
            <WebExperiment experiment={found} />
          ) : (
            <FeatureExperiment experiment={found} flagId={found.content.flagId} />
          )}
        </Suspense>
      )}
    </ExperimentObject>
  )
}
