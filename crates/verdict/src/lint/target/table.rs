//! Every target with its limits. Only what is documented, or reported with the words of the refusal, may enter.

use super::Beyond::{Cut, Dropped, LeftOut, Refused, Sometimes};
use super::What::{
    Array, ArrayAtAll, Combined, Constant, Description, Draft, EnumOfText, Instructions, Key, Lookaround,
    NameBegin, NameLength, NamePunctuation, Neighbours, NoProperties, PropertyReference, Strict, ToolCount,
    TypeList, Untyped,
};
use super::{ClientPrefix, Length, Limit, Target};

/// The prefix of a client that takes the server's name whole.
const fn prefix(template: &'static str) -> Option<ClientPrefix> {
    Some(ClientPrefix { template, server_chars: None })
}

const fn limit(what: super::What, beyond: super::Beyond, source: &'static str) -> Limit {
    Limit { what, beyond, source }
}

/// Names as OpenAI takes them.
const OPENAI_NAMES: [Limit; 3] = [
    limit(
        NamePunctuation("_-"),
        Refused,
        "\"Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'\": openai/codex#8174, 2025-12",
    ),
    limit(
        NameLength(128),
        Refused,
        "\"Expected a string with maximum length 128\": answers of the API, 2026-10",
    ),
    limit(
        NameLength(64),
        Sometimes("OpenAI's reference forbids that, and Azure, DeepSeek and Qwen refuse it"),
        "openai 7.59.0, `FunctionDefinition.name`, 2026-11; use-novamira/novamira#12, 2026-04; QwenLM/Qwen3-VL#2069, 2026-03",
    ),
];

const OPENAI_ROOT: Limit = limit(
    Combined(&["allOf", "anyOf", "const", "enum", "not", "oneOf"]),
    Refused,
    "\"schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level\": \
     home-assistant/core#160600, 2026-01; with 'const': goruck/home-generative-agent#545, 2026-08",
);

const OPENAI_ARRAY: Limit = limit(
    Array,
    Refused,
    "\"array schema missing items\", at any depth: gumloop/guMCP#136, 2025-05; szeider/mcp-dblp#3, 2026-02",
);

const OPENAI_PATTERN: Limit = limit(
    Lookaround,
    Refused,
    "\"Invalid JSON schema: regex lookaround is not supported\": vercel/ai#21037, 2026-09; nicobailon/pi-interactive-shell#69, \
     2026-09",
);

const OPENAI_PROPERTIES: Limit = limit(
    NoProperties,
    Sometimes("OpenAI, and Copilot with its models, refused that at times"),
    "\"object schema missing properties\": github/copilot-cli#1825, 2026-03; laravel/mcp#97, 2025",
);

const OPENAI_COUNT: Limit = limit(
    ToolCount(128),
    Refused,
    "\"Expected an array with maximum length 128\": zed-industries/zed#42393, 2025-11",
);

const ANTHROPIC_KEYS: Limit = limit(
    Key,
    Refused,
    "\"Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'\", at the top level: anthropics/claude-code#34771, 2026-03; \
     aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#709, 2026-08",
);

const ANTHROPIC_DRAFT: Limit = limit(
    Draft,
    Refused,
    "\"JSON schema is invalid. It must match JSON Schema draft 2020-12\": anthropics/claude-code#63673, 2026-05",
);

const OLDER_GEMINI: super::Beyond = Sometimes("Gemini refuses that in its older field `parameters`");

const CLAUDE_CODE_TEXT: Length = Length { chars: 2048, in_utf16: true };
const CLAUDE_CODE_CUTS: &str =
    "its guide to MCP, \"For MCP server authors\", 2026; anthropics/claude-code#87650, 2026-08";

/// Every target, providers first. Where several limits of one kind stand, the first is the gravest.
pub static TARGETS: &[Target] = &[
    Target {
        name: "anthropic",
        title: "Anthropic",
        prefix: None,
        limits: &[
            limit(
                NamePunctuation("_-"),
                Refused,
                "\"String should match pattern '^[a-zA-Z0-9_-]{1,128}$'\": home-assistant/core#147760, 2025-06",
            ),
            limit(
                NameLength(128),
                Refused,
                "home-assistant/core#147760, 2025-06; guide \"Define tools\", 2026",
            ),
            limit(
                NameLength(64),
                Sometimes("Anthropic's models on Bedrock refuse that"),
                "microsoft/mcp#842, 2025-10; anthropics/claude-code#20635, 2026-01",
            ),
            limit(
                Combined(&["allOf", "anyOf", "oneOf"]),
                Refused,
                "\"input_schema does not support oneOf, allOf, or anyOf at the top level\": makenotion/notion-mcp-server#341, \
                 2026-08; kenn-io/kata#365, 2026-09",
            ),
            ANTHROPIC_KEYS,
            ANTHROPIC_DRAFT,
        ],
    },
    Target {
        name: "openai",
        title: "OpenAI",
        prefix: None,
        limits: &[
            OPENAI_NAMES[0], OPENAI_NAMES[1], OPENAI_NAMES[2], OPENAI_ROOT, OPENAI_ARRAY, OPENAI_PATTERN,
            OPENAI_PROPERTIES, OPENAI_COUNT,
        ],
    },
    Target {
        name: "openai-strict",
        title: "OpenAI in strict mode",
        prefix: None,
        limits: &[
            OPENAI_NAMES[0],
            OPENAI_NAMES[1],
            OPENAI_NAMES[2],
            OPENAI_ROOT,
            OPENAI_ARRAY,
            OPENAI_PATTERN,
            OPENAI_PROPERTIES,
            OPENAI_COUNT,
            limit(
                Strict,
                Refused,
                "guide \"Structured outputs\", \"Supported schemas\", 2026; makenotion/notion-mcp-server#102, 2025-08; \
                 ayunis-core/ayunis-core#1513, 2026-08; sizes: openai/openai-java#1001, 2026-09",
            ),
            limit(
                Description(Length { chars: 1024, in_utf16: false }),
                Sometimes("OpenAI refused that until 2025-05"),
                "getsentry/sentry-mcp#106, 2025-04; taken since: run-llama/llama_index#18784, 2025-05",
            ),
        ],
    },
    Target {
        name: "gemini",
        title: "Gemini",
        prefix: None,
        limits: &[
            limit(
                NamePunctuation("_.:-"),
                Refused,
                "\"Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-)\": \
                 diegosouzapw/OmniRoute#13715, 2026-09",
            ),
            limit(
                NameBegin,
                Refused,
                "\"Must start with a letter or an underscore\": diegosouzapw/OmniRoute#13715, 2026-09",
            ),
            limit(
                NameLength(128),
                Refused,
                "\"with a maximum length of 128\": diegosouzapw/OmniRoute#13715, 2026-09; @google/genai 3.3.0, `FunctionDeclaration.name`, 2026-11",
            ),
            limit(
                NameLength(64),
                Sometimes("Gemini refused that until summer 2026"),
                "lbjlaq/Antigravity-Manager#1440, 2026-02; google-gemini/gemini-cli#20987, 2026-03",
            ),
            limit(
                Array,
                OLDER_GEMINI,
                "\"items: missing field\": DEEIX-AI/DEEIX-Chat#546, 2026-07; taken in `parametersJsonSchema`: \
                 NousResearch/hermes-agent#98928, 2026-08",
            ),
            limit(
                EnumOfText,
                OLDER_GEMINI,
                "\"enum: only allowed for STRING type\", \"enum[3]: cannot be empty\": Smana/runlore#40, 2026-06; \
                 sbroenne/mcp-server-excel#607, 2026-04",
            ),
            limit(
                TypeList,
                OLDER_GEMINI,
                "\"Proto field is not repeating, cannot start list\": anomalyco/opencode#48073, 2026; zed-industries/zed#44875, \
                 2025-12",
            ),
            limit(
                Constant,
                OLDER_GEMINI,
                "\"Unknown name \\\"const\\\"\": zed-industries/zed#45552, 2025-12; taylorwilsdon/google_workspace_mcp#1099, 2026-09",
            ),
            limit(
                Untyped,
                OLDER_GEMINI,
                "\"type: must be specified when not using one_of, any_of or all_of fields\": danny-avila/LibreChat#6971, 2025; \
                 left out by Gemini CLI: zereight/gitlab-mcp#242, 2025-09",
            ),
            limit(
                Neighbours,
                Sometimes("Gemini refuses that in its field `parametersJsonSchema`"),
                "\"If a schema node has $ref set, then only description and default can be set alongside it\": \
                 anomalyco/opencode#12295, 2026-02",
            ),
            limit(
                PropertyReference,
                Sometimes("some clients lose that on the way to Gemini"),
                "converters drop a `$ref` to `#/properties/…`: DEEIX-AI/DEEIX-Chat#546, 2026-07",
            ),
            limit(
                ToolCount(512),
                Refused,
                "\"At most 512 function declarations can be specified\": google-gemini/gemini-cli#19083, 2026-02",
            ),
        ],
    },
    Target {
        name: "claude-code",
        title: "Claude Code",
        prefix: prefix("mcp__{server}__"),
        limits: &[
            limit(NameLength(128), LeftOut, "its guide to MCP and permissions, 2026-10"),
            limit(
                NamePunctuation("_-"),
                Sometimes("with Claude Code of 2025 the whole request was refused for that"),
                "modelcontextprotocol/modelcontextprotocol#1345, 2025-08; anthropics/claude-code#3324, 2025-07",
            ),
            limit(Description(CLAUDE_CODE_TEXT), Cut, CLAUDE_CODE_CUTS),
            limit(Instructions(CLAUDE_CODE_TEXT), Cut, CLAUDE_CODE_CUTS),
            limit(
                Combined(&["allOf", "anyOf", "oneOf"]),
                LeftOut,
                "anthropics/claude-code#95504, 2026-09; moira-mcp/moira#177, 2026-09",
            ),
            ANTHROPIC_KEYS,
            ANTHROPIC_DRAFT,
        ],
    },
    Target {
        name: "vscode",
        title: "VS Code",
        prefix: Some(ClientPrefix { template: "mcp_{server}_", server_chars: Some(13) }),
        limits: &[
            limit(
                NameLength(64),
                Cut,
                "microsoft/vscode, mcpTypes.ts (`MaxLength`, `MaxPrefixLen`), 2026; #243602, 2025-03",
            ),
            limit(
                ArrayAtAll,
                Refused,
                "\"tool parameters array type must have items\": microsoft/vscode#284536, 2025-12; #290225, 2026-01",
            ),
            limit(
                Combined(&["allOf", "anyOf", "else", "if", "not", "oneOf", "then"]),
                Dropped,
                "microsoft/vscode, toolSchemaNormalizer.ts, 2026",
            ),
            limit(
                ToolCount(128),
                Refused,
                "\"You may not include more than 128 tools in your request\": microsoft/vscode#337428, 2026-09",
            ),
        ],
    },
    Target {
        name: "copilot-cli",
        title: "Copilot CLI",
        prefix: prefix("{server}-"),
        limits: &[
            limit(
                NamePunctuation("_-"),
                Refused,
                "\"String should match pattern '^[a-zA-Z0-9_-]{1,128}$'\": github/copilot-cli#2581, 2026-04",
            ),
            limit(
                NameLength(128),
                Refused,
                "github/copilot-cli#2581, 2026-04; github/copilot-sdk#869, 2026-03",
            ),
        ],
    },
    Target {
        name: "cursor",
        title: "Cursor",
        prefix: prefix("{server}"),
        limits: &[limit(
            NameLength(59),
            LeftOut,
            "\"Combined server and tool name length (60) exceeds 60 characters\": \
             aashari/mcp-server-atlassian-confluence#16, 2025-04; ComposioHQ/composio#2788, 2026-02",
        )],
    },
];
