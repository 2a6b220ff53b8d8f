import { TextLink } from '../../../../ui/links/links.tsx'
import { resultsSearch, type View } from '../view.ts'
import classes from './view-switch.module.css'

const views: readonly { view: View; words: string }[] = [
  { view: 'simple', words: 'Simple' },
  { view: 'statistics', words: 'Statistics' },
]

/** How much of the figures is shown. The address keeps it, so a copied link shows the same. */
export function ViewSwitch({ view }: { view: View }) {
  return (
    <nav className={classes.views} aria-label="View">
      {views.map((each) => (
        <TextLink
          key={each.view}
          to="."
          search={
            ((before: Record<string, unknown>) => ({
              ...before,
              view: resultsSearch(each).view,
            })) as never
          }
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={each.view === view ? 'true' : undefined}
        >
          {each.words}
        </TextLink>
      ))}
    </nav>
  )
}
