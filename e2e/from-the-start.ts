import { type RunnerTestCase, type RunnerTestSuite, TestRunner, type TestTryOptions } from 'vitest'
import { printOpenPages } from './open-pages.ts'

/** A file in which more tests fail is broken, and to begin it anew for each of them could take an hour. */
const mostBeginnings = 2

/**
 * Tests of a file share a service or the report of a lab, and many build upon those before them, because these cost more
 * than a test. If a second try met what the first one left, it would fail too. Therefore it begins the file from the
 * start: its `afterAll` and `beforeAll`, each test before this one, then the test.
 *
 * `--repeats 1` proves for a file that this is possible: after its last test, it runs once more from the start.
 */
export default class FromTheStart extends TestRunner {
  private readonly beginnings = new WeakMap<RunnerTestSuite, number>()
  private isLeftOut = false

  override async onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    const isRepeat = options.repeats > 0
    // The last one is repeated after all the others. To begin anew for each of them would prove no more.
    this.isLeftOut = isRepeat && test !== testsIn(test.file).at(-1)
    if ((options.retry > 0 && this.mayBegin(test.file)) || (isRepeat && !this.isLeftOut)) {
      await end(test)
      await begin(test.file, test, isRepeat || buildsUpon(test) ? runAgain : leaveOut)
    }
    super.onBeforeTryTask(test, options)
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (this.isLeftOut) return
    try {
      await TestRunner.getTestFn(test)()
    } catch (error) {
      await printOpenPages(test.name)
      throw error
    }
  }

  private mayBegin(file: RunnerTestSuite): boolean {
    const before = this.beginnings.get(file) ?? 0
    this.beginnings.set(file, before + 1)
    return before < mostBeginnings
  }
}

const hooksOf = TestRunner.getSuiteHooks

/** Tests of the lab leave nothing: each reads its part of a report, which the file's `beforeAll` makes. */
const buildsUpon = ({ file }: RunnerTestCase) => file.projectName !== 'lab'

const leaveOut = async () => {}

/** The tests that take part in this run, in their order. */
function testsIn(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks
    .filter(({ mode }) => mode === 'run' || mode === 'queued')
    .flatMap((task) => (task.type === 'suite' ? testsIn(task) : [task]))
}

/** The suites around a test, from its file inwards. */
function suitesAround(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = []
  for (let suite = test.suite; suite; suite = suite.suite) suites.unshift(suite)
  return suites[0] === test.file ? suites : [test.file, ...suites]
}

/** Ends what is open around a test. The first try may have left something that cannot end well; that fails no other. */
async function end(test: RunnerTestCase): Promise<void> {
  for (const suite of suitesAround(test).toReversed())
    for (const hook of hooksOf(suite).afterAll.toReversed())
      try {
        await hook(suite)
      } catch (error) {
        console.warn(`An afterAll has failed after the first try of "${test.name}":`, error)
      }
}

/** Begins the suite up to this test, whose own suites stay open. */
async function begin(suite: RunnerTestSuite, until: RunnerTestCase, run: typeof runAgain): Promise<void> {
  for (const hook of hooksOf(suite).beforeAll) await hook(suite)
  for (const task of suite.tasks) {
    if (task === until) return
    if (task.type === 'test') await run(task)
    else if (suitesAround(until).includes(task)) return begin(task, until, run)
    else if (task.result && task.mode !== 'skip') {
      await begin(task, until, run)
      for (const hook of hooksOf(task).afterAll.toReversed()) await hook(task)
    }
  }
}

async function runAgain(test: RunnerTestCase): Promise<void> {
  // One that was left out, or has failed in the end, would not help.
  if (test.result?.state !== 'pass') return
  const suites = suitesAround(test)
  const { context } = test
  try {
    for (const suite of suites) for (const hook of hooksOf(suite).beforeEach) await hook(context, suite)
    await TestRunner.getTestFn(test)()
    for (const suite of suites.toReversed())
      for (const hook of hooksOf(suite).afterEach.toReversed()) await hook(context, suite)
  } catch (error) {
    throw new Error(`The file began again, and a test before this one failed: "${test.name}"`, { cause: error })
  }
}
