/** All analyses, in the order offered. To register a new analysis, add a line to this array. */
import type { Analysis } from "../source/engine/analysis.ts";
import { agreement } from "./agreement.ts";
import { attribution } from "./attribution.ts";
import { answers } from "./answers.ts";
import { aspects } from "./aspects.ts";
import { checks } from "./checks.ts";
import { clusters } from "./clusters.ts";
import { compare } from "./compare.ts";
import { compute } from "./compute.ts";
import { consistency } from "./consistency.ts";
import { constraints } from "./constraints.ts";
import { cost } from "./cost.ts";
import { days } from "./days.ts";
import { depth } from "./depth.ts";
import { difficulty } from "./difficulty.ts";
import { divergence } from "./divergence.ts";
import { domain } from "./domain.ts";
import { efficiency } from "./efficiency.ts";
import { errors } from "./errors.ts";
import { formatting } from "./formatting.ts";
import { judge } from "./judge.ts";
import { judgeAgreement } from "./judge-agreement.ts";
import { kSweep } from "./k-sweep.ts";
import { overview } from "./overview.ts";
import { paper } from "./paper.ts";
import { plannerActor } from "./planner-actor.ts";
import { prompting } from "./prompting.ts";
import { profile } from "./profile.ts";
import { rescue } from "./rescue.ts";
import { scale } from "./scale.ts";
import { scenario } from "./scenario.ts";
import { shots } from "./shots.ts";
import { sql } from "./sql.ts";
import { statistics } from "./statistics.ts";
import { structure } from "./structure.ts";
import { toolErrors } from "./tool-errors.ts";
import { wordings } from "./wordings.ts";
import { toolUse } from "./tool-use.ts";

export const analyses: readonly Analysis[] = [
  overview,
  difficulty,
  scale,
  errors,
  prompting,
  shots,
  wordings,
  compare,
  answers,
  divergence,
  consistency,
  rescue,
  agreement,
  efficiency,
  compute,
  plannerActor,
  toolErrors,
  clusters,
  kSweep,
  aspects,
  domain,
  depth,
  formatting,
  judge,
  judgeAgreement,
  attribution,
  constraints,
  days,
  toolUse,
  cost,
  structure,
  scenario,
  profile,
  checks,
  statistics,
  sql,
  paper,
];
