import { IconFlask } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import { type ExperimentOnPages, onePath, readExperiment } from './experiment.ts'

// A project has experiments of one kind.
const FeatureExperiment = lazy(async () => ({
  default: (await import('./feature-experiment.tsx')).FeatureExperiment,
}))
const WebExperiment = lazy(async () => ({ default: (await import('./web-experiment.tsx')).WebExperiment }))

/** One experiment, on a flag or on web pages. */
export function ExperimentPage() {
  const { experiment } = useParams({ from: '/inside/$org/$project/experiments/$experiment' })
  const { params } = usePlace()
  return (
    <ObjectPage<ExperimentOnPages, { name: string }>
      noun="experiment"
      wanted={experiment}
      Icon={IconFlask}
      path={onePath}
      read={readExperiment}
      near={() => []}
      link={() => null}
      all={
        <TextLink to="/$org/$project/experiments" params={params}>
          All experiments
        </TextLink>
      }
    >
      {(found) => (
        <Suspense>
          {found.content.flagId === null ? (
            <WebExperiment experiment={found} />
          ) : (
            <FeatureExperiment experiment={found} flagId={found.content.flagId} />
          )}
        </Suspense>
      )}
    </ObjectPage>
  )
}
