// The head of the page.

// Each finding with its smallest example and a cell of it.
function findingsList() {
  if (!main.findings.length) return [];
  const items = main.findings.map(({ finding, cells, elements, example, cell: first }) =>
    el(
      "li",
      {},
      el("code", {}, finding),
      ` in ${plural(cells, "cell")}${elements ? `, ${plural(elements, "element")}` : ""}: `,
      el(
        "button",
        { class: "link", type: "button", onclick: () => select({ cell: first }, true) },
        first,
      ),
      example ? el("div", { class: "why" }, example) : "",
    ),
  );
  return [
    el(
      "details",
      { id: "findings", open: "" },
      el("summary", {}, plural(main.findings.length, "finding")),
      el("ol", {}, items),
    ),
  ];
}

function drawTop() {
  const selected = main.selected;
  const passes = main.cells.filter(cell => isPass(cell.verdict)).length;
  const deviations = main.cells.filter(cell => isDeviation(cell.verdict)).length;
  const known = main.cells.filter(cell => cell.known).length;
  const counts = VERDICTS.map(verdict => [
    verdict,
    main.cells.filter(cell => cell.verdict === verdict).length,
  ]);
  const badTests = main.nodeTests.filter(test => test.verdict === "error" || test.verdict === "deviates");
  const badModels = main.negative.filter(model => model.deviates);
  const bad = [
    [deviations, `${digits(deviations)} of ${plural(selected, "cell")}`],
    [badTests.length, plural(badTests.length, "node test")],
    [badModels.length, plural(badModels.length, "negative model")],
  ].filter(([count]) => count);
  const headline = bad.length
    ? bad.map(([count, what]) => `${what} ${count === 1 ? "deviates" : "deviate"}`).join(", ")
    : passes === selected && selected > 0 && main.complete
      ? `all ${plural(selected, "cell")} pass`
      : `${digits(passes)} of ${plural(selected, "cell")} pass, none deviates`;
  const sum = key => main.cells.reduce((total, cell) => total + cell[key], 0);
  const elements = main.cells.reduce(
    (total, cell) => total + cell.tiers.reduce((part, tier) => part + tier.elements, 0),
    0,
  );
  const stat = (value, label, id) =>
    el("div", { class: "stat" }, el("b", { id }, value), el("span", {}, label));
  const theme = el(
    "button",
    {
      class: "plain",
      type: "button",
      onclick: () => {
        const dark = document.documentElement.dataset.theme
          ? document.documentElement.dataset.theme === "dark"
          : matchMedia("(prefers-color-scheme: dark)").matches;
        document.documentElement.dataset.theme = dark ? "light" : "dark";
        try {
          localStorage.setItem("qconform-theme", document.documentElement.dataset.theme);
        } catch (error) {
          /* not stored, then */
        }
      },
    },
    "Light / dark",
  );
  document.getElementById("top").replaceChildren(
    el(
      "div",
      { class: "brand" },
      el("strong", {}, main.tool.name),
      el("span", { class: "tagline" }, "conformance of ONNX quantization, bit by bit"),
      el("span", { class: "grow" }),
      theme,
    ),
    el("h1", { id: "headline" }, `${main.backend}: ${headline}`),
    el(
      "p",
      { class: "lead" },
      [
        main.device,
        main.vendor,
        `version ${main.version}`,
        `level ${main.suite.level}`,
        `seed ${main.suite.seed}`,
        `ONNX ${main.suite.onnx_version}`,
        main.start,
      ]
        .filter(text => text && text !== "version ")
        .join(", "),
    ),
    ...(main.complete
      ? []
      : [
          el(
            "p",
            { class: "banner", role: "alert" },
            `Incomplete: ${digits(main.cells.length)} rows of ${plural(selected, "selected cell")}.`,
          ),
        ]),
    ...(main.problems.length
      ? [
          el(
            "div",
            { class: "banner", role: "alert" },
            el("b", {}, `${plural(main.problems.length, "problem")} with known differences`),
            el(
              "ul",
              {},
              main.problems.slice(0, 5).map(text => el("li", {}, text)),
              main.problems.length > 5
                ? el("li", {}, `and ${digits(main.problems.length - 5)} more`)
                : "",
            ),
          ),
        ]
      : []),
    ...findingsList(),
    el(
      "div",
      { class: "stats" },
      stat(`${digits(passes)} / ${digits(selected)}`, "cells pass", "passes"),
      stat(
        digits(deviations),
        known ? `deviate, ${digits(known)} cells known` : "deviate",
        "deviations",
      ),
      stat(digits(sum("cases")), "cases asked", "cases"),
      stat(digits(elements), "elements compared", "elements"),
      stat(`${main.duration} s`, "on " + (main.machine || "a machine")),
    ),
    el(
      "div",
      {
        class: "bar",
        role: "img",
        "aria-label": counts
          .filter(([, count]) => count)
          .map(([verdict, count]) => `${count} ${verdict}`)
          .join(", "),
      },
      [...counts]
        .reverse()
        .filter(([, count]) => count)
        .map(([verdict, count]) =>
          el("i", {
            class: "b-" + verdict,
            style: `flex:${count} 0 0`,
            title: `${digits(count)} ${verdict}`,
          }),
        ),
    ),
  );
}
