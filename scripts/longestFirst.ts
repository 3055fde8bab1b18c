import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The projects with the long files come last, so that the end of a run is made of many short ones. */
const PROJECTS = ['tools', 'contract', 'console', 'console-dom', 'postgres', 'sqlite']
/** Tests that start servers and commands as processes take longest. */
const STARTS_PROCESSES = /\/(process|crash|operator)\.ts'/

/** Orders test files so that no long one is left for the end, also where no earlier run says how long each takes. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it sorts nothing in place: this is no array's
    const sorted = await super.sort(files)
    const places = new Map(sorted.map((file) => [file, placeOf(file)]))
    return sorted.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
  }
}

const placeOf = ({ project, moduleId }: TestSpecification): number =>
  PROJECTS.indexOf(project.name) * 2 + (STARTS_PROCESSES.test(readFileSync(moduleId, 'utf8')) ? 0 : 1)
