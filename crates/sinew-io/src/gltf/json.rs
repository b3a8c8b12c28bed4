//! The document's text.

use super::budget::Budget;
use super::schema::Root;
use super::tree;
use crate::{Error, Report};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Parses the JSON text of a document.
pub(crate) fn parse(text: &[u8], budget: &Budget, report: &mut Report) -> Result<Root, Error> {
    let text = match text.strip_prefix(BOM) {
        Some(rest) => {
            report.note("byte 0", "a byte order mark before the JSON", "it was passed over")?;
            rest
        }
        None => text,
    };
    budget.spend_tree(tree::measure(text)?.typed)?;
    let root = serde_json::from_slice(text).map_err(|error| fault(&error))?;
    note_channels_without_node(&root, report)?;
    Ok(root)
}

/// Notes channels that only `KHR_animation_pointer` gives a target. glTF ignores channels without a
/// node, so in other documents they are no warning.
fn note_channels_without_node(root: &Root, report: &mut Report) -> Result<(), Error> {
    if !root.extensions_used.iter().any(|used| used == "KHR_animation_pointer") {
        return Ok(());
    }
    for (index, animation) in root.animations.iter().enumerate() {
        let count = animation.channels.iter().filter(|channel| channel.target.node.is_none()).count();
        if count > 0 {
            let found = format!("{count} channels without a node");
            report.note(format!("animations[{index}].channels"), found, "they were passed over")?;
        }
    }
    Ok(())
}

fn fault(error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    Error::fault(format!("line {line}, column {column}"), "a document of glTF 2.0", said(error))
}

/// What the parser found, without the place.
fn said(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = whole.strip_suffix(&place).unwrap_or(&whole);
    // A string that is not what it should be is quoted whole.
    if said.len() > 200 { format!("{}...", said.chars().take(200).collect::<String>()) } else { said.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    fn parse_text(text: &str) -> Result<Root, Error> {
        parse(text.as_bytes(), &Budget::new(&Options::default(), text.len()), &mut Report::new(false))
    }

    fn error_text(text: &str) -> String {
        parse_text(text).err().expect("the text is at fault").to_string()
    }

    #[test]
    fn channels_may_lack_a_node_but_not_have_null() {
        let parse_target = |target: &str| {
            let animation = format!(
                r#"{{"samplers":[{{"input":0,"output":1}}],"channels":[{{"sampler":0,"target":{target}}}]}}"#
            );
            parse_text(&format!(r#"{{"asset":{{"version":"2.0"}},"animations":[{animation}]}}"#))
        };
        let root = parse_target(r#"{"path":"rotation"}"#).unwrap();
        assert!(root.animations[0].channels[0].target.node.is_none());
        assert!(parse_target(r#"{"node":0,"path":"rotation"}"#).is_ok());
        assert!(parse_target(r#"{"node":null,"path":"rotation"}"#).is_err());
    }

    #[test]
    fn a_fault_beside_a_channel_without_a_node_names_its_line() {
        let text = "{\"asset\":{\"version\":\"2.0\"},\n\"animations\":[{\"samplers\":[],\"channels\":[\n\
            {\"sampler\":0,\"target\":{\"path\":\"rotation\"}}]}],\n\"accessors\":[{\"count\":1}]}";
        let said = error_text(text);
        assert!(said.starts_with("line 4, column ") && said.contains("missing field"), "{said}");
    }

    #[test]
    fn extras_may_be_anything() {
        for extras in ["1", "\"text\"", "[{}]", "null", "{\"a\":[1,2]}"] {
            let text = format!(r#"{{"asset":{{"version":"2.0","extras":{extras}}},"extras":{extras}}}"#);
            assert!(parse_text(&text).is_ok(), "{extras}");
        }
    }

    #[test]
    fn nesting_ends_at_the_depth_of_the_parser() {
        let nested = |depth: usize| {
            let (open, close) = ("[".repeat(depth), "]".repeat(depth));
            parse_text(&format!(r#"{{"asset":{{"version":"2.0"}},"extras":{open}{close}}}"#))
        };
        assert!(nested(tree::DEPTH - 1).is_ok());
        assert!(nested(tree::DEPTH).is_err());
        assert!(nested(200_000).is_err());
        let brackets_in_text =
            format!(r#"{{"asset":{{"version":"2.0","generator":"\\\"{}"}}}}"#, "[".repeat(1000));
        assert!(parse_text(&brackets_in_text).is_ok());
    }

    #[test]
    fn a_small_text_cannot_ask_for_a_large_tree() {
        let text =
            format!(r#"{{"asset":{{"version":"2.0"}},"materials":[{{}}{}]}}"#, ",{}".repeat(1_500_000));
        let said = error_text(&text);
        assert!(said.contains("budget"), "{said}");
    }

    #[test]
    fn errors_name_line_and_column() {
        let said = error_text("{\n  \"asset\": 5}");
        assert!(said.starts_with("line 2, column 12: "), "{said}");
    }
}
