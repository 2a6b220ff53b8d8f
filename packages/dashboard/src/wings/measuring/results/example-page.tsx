import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ToSubjects } from '../../../shell/subject.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Notice } from '../../../ui/notice/notice.tsx'
import example from './example.json' with { type: 'json' }
import type { Dimension, Results } from './figures.ts'
import type { Arms } from './metric-tables.tsx'
import { ResultsView } from './results-view.tsx'
import { resultsSearch } from './view.ts'

const variations = [
  { id: 'original', name: 'Long form' },
  { id: 'short', name: 'Short form' },
]

const arms: Arms = {
  nameOf: (id) => variations.find((variation) => variation.id === id)?.name ?? id,
  armOf: (id) => variations.findIndex((variation) => variation.id === id),
}

/** What results look like, for people who have no test yet. Nothing of it is stored. */
export function ExamplePage() {
  const [chosen, choose] = useState(example.dimension.name)
  const { view = 'simple' } = resultsSearch(useSearch({ strict: false }))
  return (
    <Page
      title="Example of results"
      description="A test of a shorter checkout form, three weeks after its start."
      actions={<ToSubjects />}
    >
      <Notice title="This is an example">
        These visitors are invented, and nothing of this is in your project. The figures are computed in the same way as
        yours.
      </Notice>
      <ResultsView
        results={example as Results}
        arms={arms}
        view={view}
        byDimension={{ chosen, choose, dimension: example.dimension as Dimension }}
      />
    </Page>
  )
}
