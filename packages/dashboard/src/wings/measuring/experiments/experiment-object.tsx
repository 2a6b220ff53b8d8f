import { IconFlask } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ObjectPage } from '../../../shell/object-page.tsx'
import { usePlace } from '../../../shell/place.ts'
import { TextLink } from '../../../ui/links/links.tsx'
import type { Versioned } from '../../../versioned.ts'
import { type ExperimentOnPages, onePath, readExperiment } from './experiment.ts'

interface ExperimentObjectProps {
  /** What the address says: its number, and words that can differ. */
  wanted: string
  children: (experiment: Versioned<ExperimentOnPages>) => ReactNode
}

/** A page of the experiment that the address names, or what is there instead. */
export function ExperimentObject({ wanted, children }: ExperimentObjectProps) {
  const { params } = usePlace()
  return (
    <ObjectPage<ExperimentOnPages, { name: string }>
      noun="experiment"
      wanted={wanted}
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
      {children}
    </ObjectPage>
  )
}
